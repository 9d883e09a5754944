import { firms, type FirmFacts } from '#shared/sync/firms.ts'

const facts: Readonly<Record<string, FirmFacts>> = firms

/** Two letters for a firm or platform: of its first two words or humps, `AT` of Apex Trader Funding, `NT` of NinjaTrader; else its first two letters. */
export const monogram = (name: string): string => {
  const words = name.match(/[A-Z][a-z]*|[a-z]+|\d+/g) ?? []
  const [first = '', second] = words
  return facts[name]?.monogram ?? (second === undefined ? first.slice(0, 2) : `${first.charAt(0)}${second.charAt(0)}`.toUpperCase())
}
