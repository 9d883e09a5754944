/** What a form's field may hold once its brackets are read. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue }

/** Reads a form as the payment provider's API takes it: `items[0][price]=x` is a list of objects. */
export const readForm = (text: string): Record<string, FormValue> => {
  const root: Branch = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '')
    const last = path.pop()
    if (last === undefined) continue
    let branch = root
    for (const part of path) branch = branchAt(branch, part)
    branch[last] = value
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, listed(value)]))
}

type Branch = { [name: string]: string | Branch }

const branchAt = (branch: Branch, name: string): Branch => {
  const found = branch[name]
  if (typeof found === 'object') return found
  const made: Branch = {}
  branch[name] = made
  return made
}

const listed = (value: string | Branch): FormValue => {
  if (typeof value === 'string') return value
  const entries = Object.entries(value)
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index))
  return isList ? entries.map(([, part]) => listed(part)) : Object.fromEntries(entries.map(([name, part]) => [name, listed(part)]))
}
