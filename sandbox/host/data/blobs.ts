/** `ctx.data.blobs`: files by the hash of their content. */

import type { Blobs } from "../../../resources/types/notochord.d.ts";
import type { Json } from "../../protocol/messages.ts";
import type { Request } from "../../router/requests.ts";
import { option, text } from "../arguments.ts";
import { fromBase64, toBase64 } from "../base64.ts";

export function blobs(request: Request): Blobs {
  const made = {
    async put(base64: unknown, options?: unknown): Promise<unknown> {
      const content = fromBase64(text("base64", base64));
      return (await request("data.blobs.put", { mime: label(options, "mime"), name: label(options, "name") }, content))
        .value;
    },
    async get(hash: unknown): Promise<unknown> {
      const { value, attachment } = await request("data.blobs.get", { hash: text("hash", hash) });
      return value === null ? null : { base64: toBase64(attachment), ...(value as object) };
    },
    async stat(hash: unknown): Promise<unknown> {
      return (await request("data.blobs.stat", { hash: text("hash", hash) })).value;
    },
  };
  return made as unknown as Blobs;
}

function label(options: unknown, key: string): Json {
  const value = option(options, key);
  return value === undefined ? null : text(key, value);
}
