/** The paid plans, smallest to largest. */
export const planTypes = ['autosync', 'tradecopier', 'tradecopier-mid', 'tradecopier-enterprise'] as const
export type Plan = (typeof planTypes)[number]

/** A plan's price in whole euros per month, and how many accounts it may copy to. */
export const plans: Readonly<Record<Plan, { readonly eurosPerMonth: number; readonly copyAccounts: number }>> = {
  autosync: { eurosPerMonth: 12, copyAccounts: 0 },
  tradecopier: { eurosPerMonth: 29, copyAccounts: 10 },
  'tradecopier-mid': { eurosPerMonth: 49, copyAccounts: 20 },
  'tradecopier-enterprise': { eurosPerMonth: 79, copyAccounts: 50 },
}

/** The plan that a page or a call needs: any plan, or one of the three with the trade copier. */
export type Requirement = 'autosync' | 'tradecopier'

/** Whether a plan is one of the three with the trade copier. */
export const hasCopier = (plan: Plan): boolean => plan !== 'autosync'

/** Whether a plan satisfies a requirement. */
export const fits = (plan: Plan, requirement: Requirement): boolean => requirement === 'autosync' || hasCopier(plan)

/** The pages that need a plan, and which. Every other page only needs a signed-in user. */
export const gatedPages = { AIreport: 'autosync', AutoSync: 'autosync', PositionScanner: 'autosync', TradeCopier: 'tradecopier' } as const satisfies Readonly<Record<string, Requirement>>
export type GatedPage = keyof typeof gatedPages
