/** The part of `ctx` that this gem uses. */

export interface HttpResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentialDenied?: { readonly reason: string; readonly host: string };
  text(): Promise<string>;
}

export interface Context {
  readonly http: {
    fetch(
      url: string,
      options: { readonly headers: Readonly<Record<string, string>>; readonly connection?: string },
    ): Promise<HttpResponse>;
  };
  readonly storage: {
    readonly kv: { get(key: string): Promise<string | null>; set(key: string, value: string): Promise<void> };
  };
}
