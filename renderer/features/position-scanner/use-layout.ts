import { useSearchParams } from 'react-router-dom'
import { groupings, orders, type Grouping, type Order } from './grouping.ts'

/** How positions are laid out, which the address names. */
type Layout = { readonly by: Grouping; readonly order: Order }

/** By what positions are grouped and in what order accounts stand, and how that is changed. */
export const useLayout = (): readonly [Layout, (more: Partial<Layout>) => void] => {
  const [params, setParams] = useSearchParams()
  const layout: Layout = { by: groupings.find((one) => one === params.get('by')) ?? 'account', order: orders.find((one) => one === params.get('order')) ?? 'name' }
  const change = (more: Partial<Layout>): void => {
    const { by, order } = { ...layout, ...more }
    setParams({ ...(by === 'account' ? {} : { by }), ...(order === 'name' ? {} : { order }) }, { replace: true })
  }
  return [layout, change]
}
