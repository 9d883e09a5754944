import { z } from 'zod'

/** A fault that an advisory names in an installed package; `shipped` where the package is part of what traders install. */
export type Finding = { readonly advisory: string; readonly package: string; readonly severity: string; readonly title: string; readonly url: string; readonly shipped: boolean }

const advisory = z.object({ name: z.string(), title: z.string(), url: z.string(), severity: z.string() })
// Texts name packages that only depend on what has a fault.
const vulnerability = z.object({ via: z.array(z.union([z.string(), advisory])), nodes: z.array(z.string()) })
const counted = z.object({ total: z.number() })
const npmReport = z.object({ auditReportVersion: z.literal(2), vulnerabilities: z.record(z.string(), vulnerability), metadata: z.object({ vulnerabilities: counted, dependencies: counted }) })

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What a report of `npm audit --json` names, those of `shipped` (folders below `node_modules`) first; null where it is no report, or one about nothing. */
export const findingsOf = (text: string, shipped: readonly string[]): readonly Finding[] | null => {
  const { success, data } = npmReport.safeParse(parsed(text))
  if (!success || data.metadata.dependencies.total === 0) return null
  const findings = Object.values(data.vulnerabilities).flatMap(({ via, nodes }) =>
    via.flatMap((one) => (typeof one === 'string' ? [] : [{ advisory: one.url.split('/').at(-1) ?? one.url, package: one.name, severity: one.severity, title: one.title, url: one.url, shipped: nodes.some((node) => shipped.includes(node.replace(/^node_modules\//, ''))) }])),
  )
  return findings.toSorted((a, b) => Number(b.shipped) - Number(a.shipped))
}

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
const exception = z.strictObject({ advisory: z.string().regex(/^GHSA(-[0-9a-z]{4}){3}$/), package: z.string().min(1), reason: z.string().min(40), until: day })

/** An advisory that does not stop a release, why, and up to which day (YYYY-MM-DD) that holds. */
export type Exception = z.infer<typeof exception>

/** The exceptions of `audit-exceptions.json`; throws where one lacks its reason or its day. */
export const exceptions = (text: string): readonly Exception[] => z.array(exception).parse(JSON.parse(text))

/** A finding in a line. */
export const sayFinding = ({ advisory: id, package: name, severity, title, url, shipped }: Finding): string => `${shipped ? 'shipped' : 'only builds and tests'}: ${name}, ${severity}: ${title} (${id}, ${url})`

const covers = (excepted: Exception, found: Finding): boolean => excepted.advisory === found.advisory && excepted.package === found.package

/**
 * What keeps a release back on a day (YYYY-MM-DD): an advisory about something that is shipped and has no exception, and
 * an exception that is past its day or stands for nothing that was found. Without findings the days alone are judged.
 */
export const auditFaults = (excepted: readonly Exception[], findings: readonly Finding[] | null, today: string): readonly string[] => [
  ...(findings ?? []).filter((found) => found.shipped && !excepted.some((one) => covers(one, found))).map(sayFinding),
  ...excepted.filter(({ until }) => until < today).map(({ advisory: id, package: name, until }) => `The exception of ${id} for ${name} ended on ${until}: look again, and renew it with a reason or take it out.`),
  ...excepted.filter((one) => findings !== null && !findings.some((found) => covers(one, found))).map(({ advisory: id, package: name }) => `The exception of ${id} for ${name} stands for nothing that was found: take it out.`),
]
