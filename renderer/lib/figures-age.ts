import type { AccountStanding } from '#shared/api/rules.ts'

/** The age of an account's figures: live, `ageMs` old (whole minutes, in ms), or from the journal's last balance at `at` (UTC ms, null if unknown). */
type FiguresAge = { readonly is: 'live' } | { readonly is: 'old'; readonly ageMs: number } | { readonly is: 'journal'; readonly at: number | null }

const minute = 60_000

/** The age of a standing's figures at `now` (UTC ms); figures count as live for one minute. */
export const figuresAge = ({ from, at }: Pick<AccountStanding, 'from' | 'at'>, now: number): FiguresAge => {
  if (from === 'journal' || at === null) return { is: 'journal', at }
  const ageMs = Math.floor((now - at) / minute) * minute
  return ageMs < minute ? { is: 'live' } : { is: 'old', ageMs }
}
