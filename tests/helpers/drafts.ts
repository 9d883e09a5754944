import type { DatabaseName, everyDraft } from '../../build/schemas.ts'
import { inOwnRealm } from './own-realm.ts'

type Drafts = Awaited<ReturnType<typeof everyDraft>>
let drafts: Promise<Drafts> | null = null

/** What drizzle-kit drafts of a database's schema; made once for all databases. */
export const draftsOf = async (name: DatabaseName): Promise<Drafts[DatabaseName]> => (await (drafts ??= inOwnRealm<Drafts>(new URL('../../build/schemas.ts', import.meta.url), 'everyDraft')))[name]
