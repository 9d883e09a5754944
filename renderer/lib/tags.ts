import { mostTags } from '#shared/api/records.ts'

/** Tags being edited: the set ones, and the text being typed. */
export type TagDraft = { readonly tags: readonly string[]; readonly typed: string }

/** Separates tags typed together. */
export const tagSeparator = ','

/** What is wrong with tags; the screen owns the words. */
export type TagProblem = 'too-many-tags' | 'tag-too-long'

const longestTag = 60

/** All tags of a draft, including the text being typed: trimmed, each once. */
export const tagsOf = ({ tags, typed }: TagDraft): string[] => [...new Set([...tags, ...typed.split(tagSeparator).map((tag) => tag.trim())].filter((tag) => tag !== ''))]

/** Why the journal would reject these tags; null if it accepts them. */
export const tagProblem = (tags: readonly string[]): TagProblem | null =>
  tags.length > mostTags ? 'too-many-tags' : tags.some((tag) => tag.length > longestTag) ? 'tag-too-long' : null
