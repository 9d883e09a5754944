import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'

const root = fileURLToPath(new URL('../..', import.meta.url))
const play = fileURLToPath(new URL('../../node_modules/.bin/playwright', import.meta.url))

const annotation = z.object({ type: z.string(), description: z.string() })
const report = z.object({ suites: z.array(z.object({ specs: z.array(z.object({ tests: z.array(z.object({ annotations: z.array(annotation) })) })) })) })

/** Runs a long test of a screen, and reads what it measured, whether or not that passed: the annotation `pace` of its trace, in JSON. */
export const paceOf = async <T>(spec: string, shape: z.ZodType<T>): Promise<T> => {
  const words = ['test', '--config', 'build/playwright-long.config.ts', '--project=long', '--reporter=json', spec]
  const { stdout } = await promisify(execFile)(play, words, { cwd: root, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NIGHTLY: '1' } }).catch((error: Error & { readonly stdout?: string }) => {
    if (!error.stdout) throw error
    return { stdout: error.stdout }
  })
  const [pace] = report.parse(JSON.parse(stdout)).suites.flatMap(({ specs }) => specs.flatMap(({ tests }) => tests.flatMap(({ annotations }) => annotations.filter(({ type }) => type === 'pace'))))
  return shape.parse(JSON.parse(pace?.description ?? 'null'))
}
