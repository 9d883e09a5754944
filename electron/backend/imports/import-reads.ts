import { brokerFacts } from '../accounts/broker-facts.ts'
import { accountNamed } from './import-accounts.ts'
import { imports } from './queries.ts'
import { openFiles } from './open-files.ts'
import { previewImport } from './preview-import.ts'

/** What is asked of imports. */
export const importReads = { imports, brokerFacts, accountNamed, openFiles, previewImport }
