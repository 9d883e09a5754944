/** One text of the product that is another while a fault is planted. */
export type Change = { readonly file: string; readonly find: string; readonly replace: string }

/** A fault that is planted to see the judge find it. */
export type Plant = { readonly name: string; /** Of issue 20's table. */ readonly row: number; readonly says: string; readonly changes: readonly Change[] }

/** The planted faults. */
export const plants: readonly Plant[] = [
  {
    name: 'hedge-in-family', row: 5, says: 'a hedge in another contract of the same family is made',
    changes: [{ file: 'shared/copier/hedge.ts', find: 'if (familyOf(holding.contract) === family) return', replace: 'if (holding.contract === contract) return' }],
  },
]

/** The fault of this name; null where none is wanted. */
export const plantOf = (name: string | null): Plant | null => {
  if (name === null || name === '') return null
  const found = plants.find((each) => each.name === name)
  if (found === undefined) throw new Error(`There is no planted fault ${name}`)
  return found
}
