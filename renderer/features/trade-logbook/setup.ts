const prefix = /^setup:\s*/iu

/** The setup of a trade: what follows `setup:` in the first of its tags that begins so; null where none does. */
export const setupOf = (tags: readonly string[]): string | null => tags.find((tag) => prefix.test(tag))?.replace(prefix, '').trim() ?? null
