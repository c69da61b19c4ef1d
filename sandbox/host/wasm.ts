/** `ctx.wasm`: the code of a WebAssembly tool. For the procedure, not for gems. */

import type { Request } from "../router/requests.ts";

export interface Wasm {
  code(): Promise<Uint8Array<ArrayBuffer>>;
}

export function wasm(request: Request): Wasm {
  return {
    async code(): Promise<Uint8Array<ArrayBuffer>> {
      return (await request("wasm.code", {})).attachment as Uint8Array<ArrayBuffer>;
    },
  };
}
