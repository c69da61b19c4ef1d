/** `ctx.llm`: questions to the model that the user chose. */

import type { Llm, LlmAnswer } from "../../resources/types/notochord.d.ts";
import { freeze, isArray, isWellFormed } from "../hardening/primitives.ts";
import type { Json } from "../protocol/messages.ts";
import type { Request } from "../router/requests.ts";
import { hostError } from "../runtime/failures.ts";
import { option, text } from "./arguments.ts";

export function llm(request: Request): Llm {
  return {
    async complete(question, options): Promise<LlmAnswer> {
      const system = option(options, "system");
      const limit = option(options, "maxOutputTokens");
      const args = {
        system: system === undefined ? null : wellFormed("system", system),
        messages: messagesOf(question),
        maxOutputTokens: limit === undefined ? null : limit as Json,
      };
      return freeze((await request("llm.complete", args)).value as unknown as LlmAnswer);
    },
  };
}

function messagesOf(question: unknown): Json[] {
  if (typeof question === "string") return [{ role: "user", text: wellFormed("the question", question) }];
  if (!isArray(question)) throw hostError("E_INPUT_INVALID", "the question must be a string or an array of messages");
  const messages: Json[] = [];
  for (let index = 0; index < question.length; index++) {
    const message = question[index];
    messages[index] = {
      role: text("the role of a message", option(message, "role")),
      text: wellFormed("the text of a message", option(message, "text")),
    };
  }
  return messages;
}

function wellFormed(name: string, value: unknown): string {
  const found = text(name, value);
  if (!isWellFormed(found)) throw hostError("E_INPUT_INVALID", `${name} has half a character (a lone surrogate)`);
  return found;
}
