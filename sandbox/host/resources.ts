/** `ctx.resources`: the files that Notochord downloads for the gem. */

import type { Resources } from "../../resources/types/notochord.d.ts";
import type { Request } from "../router/requests.ts";
import { text } from "./arguments.ts";

export function resources(request: Request): Resources {
  return {
    async path(id): Promise<string> {
      return (await request("resources.path", { id: text("id", id) })).value as string;
    },
  };
}
