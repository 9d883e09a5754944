/** Records of one kind, by id. */
export const byId = <T>(records: readonly { readonly id: string; readonly content: T }[]): ReadonlyMap<string, T> => new Map(records.map(({ id, content }) => [id, content]))
