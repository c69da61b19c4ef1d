/** `ctx.http`: requests that leave through the program's gateway. */

import type { CredentialDenied, Http, HttpResponse } from "../../resources/types/notochord.d.ts";
import { Bytes, create, decodeText, defineProperty, encodeText, freeze, keys, parse } from "../hardening/primitives.ts";
import type { Json } from "../protocol/messages.ts";
import type { Answer, Request } from "../router/requests.ts";
import { hostError } from "../runtime/failures.ts";
import { option, text } from "./arguments.ts";

export function http(request: Request): Http {
  return {
    async fetch(url, options): Promise<HttpResponse> {
      const connection = option(options, "connection");
      const args = {
        url: text("url", url),
        method: text("method", option(options, "method") ?? "GET"),
        headers: headersOf(option(options, "headers")),
        connection: connection === undefined ? null : text("connection", connection),
      };
      return response(await request("http.fetch", args, bodyOf(option(options, "body"))));
    },
  };
}

function headersOf(given: unknown): { [name: string]: Json } {
  const headers: { [name: string]: Json } = create(null);
  if (given === undefined) return headers;
  if (typeof given !== "object") throw hostError("E_INPUT_INVALID", "headers must be an object of strings");
  const names = keys(given as object);
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    headers[name] = text(`the header ${name}`, (given as Record<string, unknown>)[name]);
  }
  return headers;
}

function bodyOf(given: unknown): Uint8Array | undefined {
  if (given === undefined || given instanceof Bytes) return given as Uint8Array | undefined;
  return encodeText(text("body", given));
}

interface Told {
  readonly status: number;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly credentialDenied?: CredentialDenied | null;
}

function response(answer: Answer): HttpResponse {
  const { status, url, headers, credentialDenied } = answer.value as unknown as Told;
  const { attachment } = answer;
  let read: string | undefined;
  const body = (): string => read ??= decodeText(attachment);
  const shown = {
    status,
    ok: status >= 200 && status < 300,
    url,
    headers: freeze(headers),
    get body(): string {
      return body();
    },
    ...(credentialDenied ? { credentialDenied: freeze(credentialDenied) } : {}),
  };
  hide(shown, "text", () => new Promise<string>((resolve) => resolve(body())));
  hide(shown, "json", () => new Promise<unknown>((resolve) => resolve(parse(body()))));
  hide(shown, "bytes", () => new Promise<Uint8Array>((resolve) => resolve(attachment)));
  return freeze(shown) as unknown as HttpResponse;
}

/** Methods are not part of a response that is turned into JSON. */
function hide(target: object, name: string, value: () => unknown): void {
  defineProperty(target, name, { __proto__: null, value, enumerable: false } as PropertyDescriptor);
}
