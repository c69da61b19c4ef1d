/** The part of `ctx` that this gem uses. */

export interface FileEntry {
  readonly name: string;
  readonly type: "file" | "folder";
  readonly size: number;
  readonly modified: number;
}

export interface Files {
  list(path?: string): Promise<FileEntry[]>;
  stat(path: string): Promise<FileEntry | null>;
}

export interface Extracted {
  readonly format: string;
  readonly title: string;
  readonly text: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly attachments: readonly { readonly filename: string }[];
  readonly warnings: readonly string[];
  readonly truncated: boolean;
}

export interface DataRecord<Fields> {
  readonly id: string;
  readonly data: Fields;
}

export interface Query<Fields> {
  where(field: string, operator: "==" | "in", value: unknown): Query<Fields>;
  orderBy(field: string, direction?: "asc" | "desc"): Query<Fields>;
  limit(count: number): Query<Fields>;
  startAfter(cursor: string): Query<Fields>;
  get(): Promise<{ readonly items: DataRecord<Fields>[]; readonly nextCursor?: string }>;
}

export interface Collection<Fields> {
  insert(data: Fields): Promise<{ readonly id: string }>;
  get(id: string): Promise<DataRecord<Fields> | null>;
  update(id: string, patch: Partial<Fields>): Promise<unknown>;
  delete(id: string): Promise<unknown>;
  where(field: string, operator: "==" | "in", value: unknown): Query<Fields>;
  orderBy(field: string, direction?: "asc" | "desc"): Query<Fields>;
}

export interface Sql {
  query<Row>(sql: string, params?: readonly (string | number)[]): Promise<Row[]>;
  insert(table: string, row: Readonly<Record<string, string>>): Promise<{ readonly id: number | bigint | null }>;
}

export interface Context {
  readonly files: Files;
  readonly storage: { readonly sql: Sql };
  readonly data: { collection<Fields>(name: string): Collection<Fields> };
  readonly extract: { fromFile(path: string): Promise<Extracted> };
  readonly llm: {
    complete(
      question: string,
      options: { readonly system: string; readonly maxOutputTokens: number },
    ): Promise<{ readonly text: string; readonly finish: string }>;
  };
}
