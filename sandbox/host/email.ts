/** `ctx.email`: the mailboxes that the user allowed; it only reads. */

import type { Email, MailPage, Message } from "../../resources/types/notochord.d.ts";
import { decodeText } from "../hardening/primitives.ts";
import type { Request } from "../router/requests.ts";
import { option, text } from "./arguments.ts";
import { given } from "./data/logs.ts";

export function email(request: Request): Email {
  return {
    async listSince(options): Promise<MailPage> {
      const args = {
        accountId: given(options, "accountId"),
        since: given(options, "since"),
        limit: given(options, "limit"),
      };
      return (await request("email.listSince", args)).value as unknown as MailPage;
    },
    async getMessage(place): Promise<Message> {
      const args = {
        accountId: text("accountId", option(place, "accountId")),
        id: text("id", option(place, "id")),
      };
      const { value, attachment } = await request("email.getMessage", args);
      return { ...(value as object), body: decodeText(attachment) } as unknown as Message;
    },
  };
}
