/** Calls: each loads its module, runs it with a context of its own, and sends what became of it. */

import { create, encodeText } from "../hardening/primitives.ts";
import { makeContext } from "../host/context.ts";
import type { AnswerMessage, CallMessage, HostMessage } from "../protocol/messages.ts";
import type { Consoles } from "../runtime/console.ts";
import { hostError, tell } from "../runtime/failures.ts";
import { load } from "../runtime/modules.ts";
import { resultJson, TooLarge } from "../runtime/results.ts";
import type { Send } from "../transport/pipes.ts";
import { type Request, Requests } from "./requests.ts";

/** Takes the program's messages; a call's requests end with the call. */
export class Calls {
  readonly #send: Send;
  readonly #consoles: Consoles;
  readonly #requests: Requests;
  readonly #running: Record<number, true> = create(null);

  constructor(send: Send, consoles: Consoles) {
    this.#send = send;
    this.#consoles = consoles;
    this.#requests = new Requests(send);
  }

  /** Do what a message says. */
  take(message: HostMessage, attachment: Uint8Array): void {
    if (message.type === "call") this.#run(message);
    else if (message.type === "answer") this.#requests.settle(message as AnswerMessage, attachment);
    else this.#cancel(message.call);
  }

  #cancel(call: number): void {
    delete this.#running[call];
    this.#requests.abandon(call);
  }

  async #run(message: CallMessage): Promise<void> {
    const { call } = message;
    this.#running[call] = true;
    try {
      const tool = await load(message.module);
      const ctx = makeContext(message.namespaces, message.idempotencyKey, this.#requester(call));
      const value = await this.#consoles.during(call, () => tool(message.input, ctx));
      const json = encodeText(resultJson(value));
      delete this.#running[call];
      this.#send({ type: "returned", call }, json);
    } catch (thrown) {
      delete this.#running[call];
      const { name, message } = tell(thrown);
      this.#send({ type: "thrown", call, name, message, tooLarge: thrown instanceof TooLarge });
    }
  }

  #requester(call: number): Request {
    return async (target, args, attachment) => {
      if (!this.#running[call]) throw hostError("E_CANCELLED", "the call is over");
      return await this.#requests.ask(call, target, args, attachment);
    };
  }
}
