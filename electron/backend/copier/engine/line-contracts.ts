import type { Fact } from '#shared/copier/facts.ts'
import type { Environment } from '../../brokers/tradovate/hosts.ts'
import type { LiveContract } from '../../brokers/tradovate/live.ts'
import type { LiveRows } from '../../brokers/tradovate/live-messages.ts'
import { liveContract, readLiveRow } from '../../brokers/tradovate/live-rows.ts'
import type { Login } from '../../brokers/tradovate/login.ts'
import { createReads } from '../../brokers/tradovate/reads.ts'
import type { ContractRow, MaturityRow, ProductRow } from '../../brokers/tradovate/wire.ts'

/** A line's contracts by id and name, each reported once. */
export type LineContracts = ReturnType<typeof createLineContracts>

/** Caches contracts, maturities, and products for the line's lifetime. */
export const createLineContracts = (login: Login, environment: Environment) => {
  const reads = createReads(login, environment)
  const contracts = new Map<number, ContractRow>()
  const maturities = new Map<number, MaturityRow>()
  const products = new Map<number, ProductRow>()
  const complete = new Map<number, LiveContract>()
  const waiting = new Set<number>()
  const asked = new Set<number>()
  const askAgain = (ids: readonly number[]): void => ids.forEach((id) => void asked.delete(id))

  const join = (): readonly LiveContract[] => {
    const fresh: LiveContract[] = []
    for (const id of waiting) {
      const contract = contracts.get(id)
      const product = products.get(maturities.get(contract?.contractMaturityId ?? 0)?.productId ?? 0)
      const joined = contract === undefined || product === undefined ? null : liveContract(contract, product)
      if (joined === null) continue
      waiting.delete(id)
      complete.set(id, joined)
      fresh.push(joined)
    }
    return fresh
  }

  const take = (rows: Pick<LiveRows, 'contracts' | 'maturities' | 'products'>): readonly LiveContract[] => {
    if (rows.contracts.length + rows.maturities.length + rows.products.length === 0) return []
    for (const row of rows.products) products.set(row.id, row)
    for (const row of rows.maturities) maturities.set(row.id, row)
    for (const row of rows.contracts) {
      contracts.set(row.id, row)
      if (!complete.has(row.id)) waiting.add(row.id)
    }
    return join()
  }

  const read: LineContracts['fetch'] = async (ids, signal) => {
    const rows = await reads.contracts(ids.filter((id) => !contracts.has(id)), signal)
    if (!rows.ok) {
      askAgain(ids)
      return []
    }
    for (const row of rows.value.rows) contracts.set(row.id, row)
    const here = ids.flatMap((id) => contracts.get(id) ?? [])
    for (const { id } of here) if (!complete.has(id)) waiting.add(id)
    const months = await reads.maturities(here.map((row) => row.contractMaturityId).filter((id) => !maturities.has(id)), signal)
    if (months.ok) for (const row of months.value.rows) maturities.set(row.id, row)
    const wanted = here.flatMap((row) => maturities.get(row.contractMaturityId)?.productId ?? []).filter((id) => !products.has(id))
    const found = await reads.products(wanted, signal)
    if (found.ok) for (const row of found.value.rows) products.set(row.id, row)
    if (!months.ok || !found.ok) askAgain(ids)
    return join()
  }

  const fetch = async (ids: readonly number[], signal: AbortSignal): Promise<readonly LiveContract[]> => {
    for (const id of ids) asked.add(id)
    return read(ids, signal).catch((error: unknown) => {
      askAgain(ids)
      throw error
    })
  }

  return {
    /** Takes a message's rows; returns the contracts that they completed. */
    take,
    /** Requests contracts; returns the completed ones. A contract unknown to the broker is not requested again. */
    fetch,
    /** Ids of unknown contracts in these facts. */
    unknownIn: (facts: readonly Fact[]): readonly number[] => {
      const ids = new Set<number>()
      for (const fact of facts) {
        if (fact.kind !== 'fill' && fact.kind !== 'position' && fact.kind !== 'order') continue
        const { contractId } = fact
        if (contractId !== null && !complete.has(contractId) && !asked.has(contractId)) ids.add(contractId)
      }
      return [...ids]
    },
    /** The contract of a name, with all contracts completed by the request, or null. */
    named: async (name: string, signal: AbortSignal): Promise<{ readonly contract: LiveContract; readonly fresh: readonly LiveContract[] } | null> => {
      const known = [...complete.values()].find((contract) => contract.name === name)
      if (known !== undefined) return { contract: known, fresh: [] }
      const answer = await login.read({ environment, path: '/contract/find', query: { name } }, signal)
      const row = answer.ok ? readLiveRow('contract', answer.value) : null
      if (row?.kind !== 'contract') return null
      const { id } = row.contract
      const before = take({ contracts: [row.contract], maturities: [], products: [] })
      const fresh = complete.has(id) ? before : [...before, ...(await fetch([id], signal))]
      const contract = complete.get(id)
      return contract === undefined ? null : { contract, fresh }
    },
  }
}
