/** What a page of a gem gets from Notochord. */
interface Notochord {
  /**
   * Call one of the gem's own tools: `await notochord.call("tool.list_notes", { limit: 20 })`. What comes back is what
   * the tool returned. A failure is an Error with a `code` such as E_TOOL_ARGUMENTS. At most 64 calls wait at once.
   */
  call(target: `tool.${string}`, args?: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<unknown>;
  /** How the program looks now. The colours are CSS variables such as --notochord-text, see docs/gems/pages.md. */
  readonly theme: "light" | "dark";
  /** The program's language: "en" or "zh-CN". */
  readonly language: string;
  /** Hear of another theme or language; returns what ends it. */
  onChange(listener: (now: { theme: "light" | "dark"; language: string }) => void): () => void;
}

declare const notochord: Notochord;
