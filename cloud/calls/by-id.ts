/** Records of one kind, to be looked up by their id. */
export const byId = <T>(records: readonly { readonly id: string; readonly content: T }[]): ReadonlyMap<string, T> => new Map(records.map(({ id, content }) => [id, content]))
