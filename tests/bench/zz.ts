import { benchMirror } from './zz-mirror.ts'
console.log(JSON.stringify(await benchMirror()))
