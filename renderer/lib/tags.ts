import { mostTags } from '#shared/api/records.ts'

/** Tags as they are edited: those that are set, and what is being typed. */
export type TagDraft = { readonly tags: readonly string[]; readonly typed: string }

/** What parts tags that are typed together. */
export const tagSeparator = ','

/** What is wrong with tags; the screen owns the words. */
export type TagProblem = 'too-many-tags' | 'tag-too-long'

const longestTag = 60

/** All tags of a draft, what is still being typed among them: trimmed, each once. */
export const tagsOf = ({ tags, typed }: TagDraft): string[] => [...new Set([...tags, ...typed.split(tagSeparator).map((tag) => tag.trim())].filter((tag) => tag !== ''))]

/** What a journal would refuse of these tags; null where it takes them. */
export const tagProblem = (tags: readonly string[]): TagProblem | null =>
  tags.length > mostTags ? 'too-many-tags' : tags.some((tag) => tag.length > longestTag) ? 'tag-too-long' : null
