import { testRestore } from './restore-walk.ts'

testRestore(100_000)
