const symbols: readonly (readonly [number, string])[] = [
  [1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'],
  [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I'],
]

/** A position, counted from 1, as a Roman numeral. */
export const roman = (position: number): string => {
  let rest = position
  let text = ''
  for (const [value, symbol] of symbols) {
    text += symbol.repeat(Math.floor(rest / value))
    rest %= value
  }
  return text
}
