/** `ctx.files`: the folder of the run, and of the conversation under `workspace:`. */

import type { Encoding, FileEntry, Files } from "../../resources/types/notochord.d.ts";
import { decodeStrictly, encodeText, isWellFormed } from "../hardening/primitives.ts";
import type { Request } from "../router/requests.ts";
import { hostError } from "../runtime/failures.ts";
import { option, text } from "./arguments.ts";
import { fromBase64, toBase64 } from "./base64.ts";

export function files(request: Request): Files {
  return {
    async list(path = ""): Promise<FileEntry[]> {
      return (await request("files.list", { path: text("path", path) })).value as unknown as FileEntry[];
    },
    async stat(path): Promise<FileEntry | null> {
      return (await request("files.stat", { path: text("path", path) })).value as unknown as FileEntry | null;
    },
    async read(path, options): Promise<string> {
      const encoding = encodingOf(options);
      const { attachment } = await request("files.read", { path: text("path", path) });
      return encoding === "base64" ? toBase64(attachment) : decoded(attachment);
    },
    async write(path, content, options): Promise<void> {
      const encoding = encodingOf(options);
      const bytes = encoding === "base64" ? fromBase64(text("content", content)) : encoded(text("content", content));
      await request("files.write", { path: text("path", path) }, bytes);
    },
    async mkdir(path): Promise<void> {
      await request("files.mkdir", { path: text("path", path) });
    },
    async move(from, to): Promise<void> {
      await request("files.move", { from: text("from", from), to: text("to", to) });
    },
    async delete(path): Promise<void> {
      await request("files.delete", { path: text("path", path) });
    },
  };
}

function encodingOf(options: unknown): Encoding {
  const encoding = option(options, "encoding") ?? "utf8";
  if (encoding === "utf8" || encoding === "base64") return encoding;
  throw hostError("E_INPUT_INVALID", "encoding must be 'utf8' or 'base64'");
}

/** A byte order mark stays: what is read and written back is the same file. */
function decoded(bytes: Uint8Array): string {
  try {
    return decodeStrictly(bytes);
  } catch {
    throw hostError("E_INPUT_INVALID", "the file is not UTF-8 text; read it with encoding 'base64'");
  }
}

function encoded(content: string): Uint8Array {
  if (!isWellFormed(content)) throw hostError("E_INPUT_INVALID", "content has half a character (a lone surrogate)");
  return encodeText(content);
}
