/** `ctx.extract`: the text of documents, read by the program. */

import type { Extract, Extracted } from "../../resources/types/notochord.d.ts";
import { freeze } from "../hardening/primitives.ts";
import type { Json } from "../protocol/messages.ts";
import type { Answer, Request } from "../router/requests.ts";
import { option, text } from "./arguments.ts";
import { contentOf } from "./data/content.ts";

type Found = Omit<Extracted, "text">;

export function extract(request: Request): Extract {
  return {
    async fromFile(path, options): Promise<Extracted> {
      const args = { path: text("path", path), format: label(options, "format"), encoding: label(options, "encoding") };
      return result(await request("extract.fromFile", args));
    },
    async fromUrl(url, options): Promise<Extracted> {
      const args = { url: text("url", url), format: label(options, "format"), encoding: label(options, "encoding") };
      return result(await request("extract.fromUrl", args));
    },
  };
}

function label(options: unknown, name: string): Json {
  const given = option(options, name);
  return given === undefined ? null : text(name, given);
}

/** The text of the whole document is that of its parts, with an empty line between them. */
function result(answer: Answer): Extracted {
  const found = contentOf(answer) as Found;
  let whole = "";
  for (let index = 0; index < found.parts.length; index++) {
    const part = found.parts[index]!.text;
    if (part !== "") whole += whole === "" ? part : `\n\n${part}`;
  }
  return freeze({ ...found, text: whole });
}
