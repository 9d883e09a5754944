import { benchMirror } from './mirror.ts'
console.log(JSON.stringify(await benchMirror()))
