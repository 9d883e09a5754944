import { useSearchParams } from 'react-router-dom'
import { groupings, type Grouping } from './grouping.ts'

/** By what positions are grouped, which the address names. */
export const useGrouping = (): readonly [Grouping, (by: Grouping) => void] => {
  const [params, setParams] = useSearchParams()
  const by = groupings.find((one) => one === params.get('by')) ?? 'account'
  const group = (next: Grouping): void => {
    setParams(next === 'account' ? {} : { by: next }, { replace: true })
  }
  return [by, group]
}
