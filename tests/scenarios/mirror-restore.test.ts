import { testRestore } from './restore-walk.ts'

testRestore(2_000)
