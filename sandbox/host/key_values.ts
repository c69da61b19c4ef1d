/** `ctx.storage.kv`: small texts that the gem keeps. */

import type { KeyValues } from "../../resources/types/notochord.d.ts";
import { isWellFormed } from "../hardening/primitives.ts";
import type { Request } from "../router/requests.ts";
import { hostError } from "../runtime/failures.ts";
import { text } from "./arguments.ts";

export function keyValues(request: Request): KeyValues {
  return {
    async get(key): Promise<string | null> {
      return (await request("storage.kv.get", { key: text("key", key) })).value as string | null;
    },
    async set(key, value): Promise<void> {
      if (!isWellFormed(text("value", value))) {
        throw hostError("E_INPUT_INVALID", "value has half a character (a lone surrogate)");
      }
      await request("storage.kv.set", { key: text("key", key), value });
    },
  };
}
