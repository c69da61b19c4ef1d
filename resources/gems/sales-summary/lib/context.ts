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

export interface DataRecord<Fields> {
  readonly id: string;
  readonly data: Fields;
}

export interface Query<Fields> {
  orderBy(field: string, direction?: "asc" | "desc"): Query<Fields>;
  limit(count: number): Query<Fields>;
  get(): Promise<{ readonly items: DataRecord<Fields>[] }>;
}

export interface Collection<Fields> {
  insert(data: Fields): Promise<unknown>;
  update(id: string, patch: Partial<Fields>): Promise<unknown>;
  where(field: string, operator: "==", value: string): Query<Fields>;
  orderBy(field: string, direction?: "asc" | "desc"): Query<Fields>;
}

export interface Context {
  readonly files: Files;
  readonly data: { collection<Fields>(name: string): Collection<Fields> };
}
