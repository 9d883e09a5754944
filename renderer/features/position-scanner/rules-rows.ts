import type { AnswerOf } from '#shared/api/route.ts'
import type { ruleRoutes } from '#shared/api/rules.ts'
import type { RulesRow } from './rules-list.tsx'

/** The accounts with their rules by name, numbers in it by value; changing figures never move a row. */
export const rulesRows = ({ accounts, standings }: AnswerOf<typeof ruleRoutes.rules>): RulesRow[] => {
  const known = new Map(standings.map((standing) => [standing.account, standing]))
  return accounts
    .map((rules) => {
      const standing = known.get(rules.account) ?? null
      return { rules, standing, name: standing?.name ?? rules.account }
    })
    .sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }))
}
