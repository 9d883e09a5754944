import type { AccountStanding } from '#shared/api/rules.ts'

/** Of when an account's figures are: of this moment, `ageMs` old (whole minutes, in ms), or of the journal's last balance at `at` (UTC ms, null where none is known). */
type ToldWhen = { readonly is: 'live' } | { readonly is: 'old'; readonly ageMs: number } | { readonly is: 'journal'; readonly at: number | null }

const minute = 60_000

/** Of when a standing is at `now` (UTC ms): live figures are called so for one minute. */
export const toldWhen = ({ from, at }: Pick<AccountStanding, 'from' | 'at'>, now: number): ToldWhen => {
  if (from === 'journal' || at === null) return { is: 'journal', at }
  const ageMs = Math.floor((now - at) / minute) * minute
  return ageMs < minute ? { is: 'live' } : { is: 'old', ageMs }
}
