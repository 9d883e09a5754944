import { leave } from './leave.ts'

const [command] = process.argv.slice(2)

leave(2, command === 'import' ? 'Importing exported files comes with a later version of Fillbook.' : 'usage: npm run -s fillbook -- import FILE…')
