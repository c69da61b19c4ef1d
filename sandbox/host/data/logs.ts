/** `ctx.data.log(name)`: entries that are only appended. */

import type { Content, Log, LogEntry, LogOptions, Page } from "../../../resources/types/notochord.d.ts";
import { freeze } from "../../hardening/primitives.ts";
import type { Json } from "../../protocol/messages.ts";
import type { Request } from "../../router/requests.ts";
import { option } from "../arguments.ts";
import { contentOf, encodeContent } from "./content.ts";

export function log(request: Request, name: string): Log {
  return freeze({
    async append(entry: unknown): Promise<unknown> {
      return (await request("data.append", { log: name }, encodeContent("the entry", entry))).value;
    },
    async query(options?: LogOptions): Promise<unknown> {
      const args = {
        log: name,
        since: given(options, "since"),
        until: given(options, "until"),
        limit: given(options, "limit"),
        order: given(options, "order"),
        startAfter: given(options, "startAfter"),
      };
      return contentOf(await request("data.entries", args)) as Page<LogEntry<Content>>;
    },
  }) as unknown as Log;
}

export function given(options: unknown, key: string): Json {
  return (option(options, key) ?? null) as Json;
}
