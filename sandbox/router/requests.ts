/** Requests to the program that wait for their answers; a window keeps their number and size within the limits. */

import { create, makePromise } from "../hardening/primitives.ts";
import { MAX_ATTACHMENT_BYTES, MAX_OUTSTANDING, MAX_OUTSTANDING_BYTES } from "../protocol/limits.ts";
import { bare } from "../protocol/frames.ts";
import type { AnswerMessage, Json } from "../protocol/messages.ts";
import { hostError, withCode } from "../runtime/failures.ts";
import type { Send } from "../transport/pipes.ts";

export interface Answer {
  readonly value: Json;
  readonly attachment: Uint8Array;
}

export type Arguments = { readonly [name: string]: Json };
export type Request = (target: string, args: Arguments, attachment?: Uint8Array) => Promise<Answer>;

interface Waiting {
  readonly call: number;
  readonly target: string;
  readonly args: Arguments;
  readonly attachment: Uint8Array | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  next: Waiting | null;
}

/** Numbers requests, sends them as the window allows, and gives each its answer. */
export class Requests {
  readonly #send: Send;
  readonly #sent: Record<number, Waiting> = create(null);
  #first: Waiting | null = null;
  #last: Waiting | null = null;
  #outstanding = 0;
  #outstandingBytes = 0;
  #lastId = 0;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Ask for something on behalf of a call. */
  ask(call: number, target: string, args: Arguments, attachment?: Uint8Array): Promise<Answer> {
    if (attachment && attachment.length > MAX_ATTACHMENT_BYTES) throw tooLarge();
    return new makePromise((resolve, reject) => {
      const waiting = { call, target, args, attachment, resolve, reject, next: null };
      if (this.#last) this.#last.next = waiting;
      else this.#first = waiting;
      this.#last = waiting;
      this.#sendWhatFits();
    });
  }

  /** Give an answer to who waits for it; one that nobody waits for is dropped. */
  settle(answer: AnswerMessage, attachment: Uint8Array): void {
    const waiting = this.#sent[answer.id];
    if (!waiting) return;
    delete this.#sent[answer.id];
    this.#outstanding--;
    this.#outstandingBytes -= size(waiting);
    if (answer.error === null) waiting.resolve({ value: answer.value, attachment });
    else waiting.reject(withCode(answer.error.code, answer.error.message));
    this.#sendWhatFits();
  }

  /** Fail what a call waits for; answers that still come are dropped, but count until then. */
  abandon(call: number): void {
    const gone = hostError("E_CANCELLED", "the call was stopped");
    for (const id in this.#sent) {
      if (this.#sent[id]!.call === call) this.#sent[id]!.reject(gone);
    }
    let before: Waiting | null = null;
    for (let waiting = this.#first; waiting; waiting = waiting.next) {
      if (waiting.call === call) {
        waiting.reject(gone);
        if (before) before.next = waiting.next;
        else this.#first = waiting.next;
      } else before = waiting;
    }
    this.#last = before;
  }

  #sendWhatFits(): void {
    for (let waiting = this.#first; waiting && this.#fits(waiting); waiting = this.#first) {
      this.#first = waiting.next;
      if (!this.#first) this.#last = null;
      const id = ++this.#lastId;
      const { call, target, args, attachment } = waiting;
      const message = {
        type: "request",
        call,
        id,
        target,
        arguments: bare(args),
        attached: attachment !== undefined,
      } as const;
      try {
        this.#send(message, attachment);
      } catch (error) {
        waiting.reject(error instanceof RangeError ? tooLarge() : error as Error);
        continue;
      }
      this.#sent[id] = waiting;
      this.#outstanding++;
      this.#outstandingBytes += size(waiting);
    }
  }

  #fits(waiting: Waiting): boolean {
    return this.#outstanding === 0 ||
      (this.#outstanding < MAX_OUTSTANDING && this.#outstandingBytes + size(waiting) <= MAX_OUTSTANDING_BYTES);
  }
}

function size(waiting: Waiting): number {
  return waiting.attachment ? waiting.attachment.length : 0;
}

function tooLarge(): Error {
  return hostError("E_PAYLOAD_TOO_LARGE", "more than 20 MB at once");
}
