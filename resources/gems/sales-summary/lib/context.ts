/** The part of `ctx` that this gem uses. */

export interface FileEntry {
  readonly name: string;
  readonly type: "file" | "folder";
}

export interface Files {
  list(path?: string): Promise<FileEntry[]>;
  stat(path: string): Promise<FileEntry | null>;
  read(path: string, options?: { encoding?: "utf8" | "base64" }): Promise<string>;
  write(path: string, content: string): Promise<void>;
}

export interface Context {
  readonly files: Files;
}
