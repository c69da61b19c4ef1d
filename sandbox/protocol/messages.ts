/** What the two sides say to each other. Every field is always there, so that nothing is looked up on a prototype. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface CallMessage {
  readonly type: "call";
  readonly call: number;
  readonly module: string;
  readonly input: Json;
  readonly namespaces: readonly string[];
  readonly idempotencyKey: string;
}

export interface CancelMessage {
  readonly type: "cancel";
  readonly call: number;
}

export interface AnswerMessage {
  readonly type: "answer";
  readonly id: number;
  readonly value: Json;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export type HostMessage = CallMessage | CancelMessage | AnswerMessage;

export type GuestMessage =
  | { readonly type: "ready" }
  | {
    readonly type: "request";
    readonly call: number;
    readonly id: number;
    readonly target: string;
    readonly arguments: Json;
    readonly attached: boolean;
  }
  | { readonly type: "returned"; readonly call: number }
  | {
    readonly type: "thrown";
    readonly call: number;
    readonly name: string;
    readonly message: string;
    readonly tooLarge: boolean;
  }
  | { readonly type: "log"; readonly call: number; readonly text: string }
  | { readonly type: "denied"; readonly call: number; readonly what: string };
