import type { Ratio } from '#shared/prices/excursions.ts'

const places = 10_000n

/** A ratio in whole 1/10,000; a bound is rounded outward, so that it still holds. */
export const ratioUnits = ({ num, den }: Ratio, round: 'down' | 'up'): number => {
  const [whole, rest] = [(BigInt(num) * places) / BigInt(den), (BigInt(num) * places) % BigInt(den)]
  return Number(rest === 0n ? whole : round === 'down' ? (rest < 0n ? whole - 1n : whole) : rest > 0n ? whole + 1n : whole)
}

/** Units of 1/10,000 as a decimal with four places. */
export const unitsText = (units: number): string => {
  const digits = String(Math.abs(units)).padStart(5, '0')
  return `${units < 0 ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
}
