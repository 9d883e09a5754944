const centsOf = (text: string): bigint => BigInt(text.replace('.', ''))

const textOf = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** One amount less another, both decimal texts with two places, to the cent. */
export const centsBetween = (one: string, other: string): string => textOf(centsOf(one) - centsOf(other))

/** The sum of two amounts, both decimal texts with two places, to the cent. */
export const addCents = (one: string, other: string): string => textOf(centsOf(one) + centsOf(other))
