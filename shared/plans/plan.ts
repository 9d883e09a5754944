/** The plans that can be bought, from the smallest to the largest. */
export const planTypes = ['autosync', 'tradecopier', 'tradecopier-mid', 'tradecopier-enterprise'] as const
export type Plan = (typeof planTypes)[number]

/** What a plan costs a month in whole euros, and how many accounts it may copy to. */
export const plans: Readonly<Record<Plan, { readonly eurosPerMonth: number; readonly copyAccounts: number }>> = {
  autosync: { eurosPerMonth: 12, copyAccounts: 0 },
  tradecopier: { eurosPerMonth: 29, copyAccounts: 10 },
  'tradecopier-mid': { eurosPerMonth: 49, copyAccounts: 20 },
  'tradecopier-enterprise': { eurosPerMonth: 79, copyAccounts: 50 },
}

/** What a page or a call asks for: any plan, or one of the three with the trade copier. */
export type Requirement = 'autosync' | 'tradecopier'

/** Whether a plan is one of the three with the trade copier. */
export const hasCopier = (plan: Plan): boolean => plan !== 'autosync'

/** Whether a plan satisfies a requirement. */
export const fits = (plan: Plan, requirement: Requirement): boolean => requirement === 'autosync' || hasCopier(plan)

/** The pages that want a plan, and which. Every other page wants a signed-in user only. */
export const gatedPages = { AIreport: 'autosync', AutoSync: 'autosync', PositionScanner: 'autosync', TradeCopier: 'tradecopier' } as const satisfies Readonly<Record<string, Requirement>>
export type GatedPage = keyof typeof gatedPages
