/** `ctx.tools`: the draft's own tools, for its tests. */

import type { Tools } from "../../resources/types/notochord.d.ts";
import type { Request } from "../router/requests.ts";
import { text } from "./arguments.ts";
import { contentOf, encodeContent } from "./data/content.ts";

export function tools(request: Request): Tools {
  return {
    async call<Result>(name: string, input: object = {}): Promise<Result> {
      const args = { name: text("the tool's name", name) };
      return contentOf(await request("tools.call", args, encodeContent("the input", input))) as Result;
    },
  };
}
