import { z } from 'zod'

/** A vulnerability that an advisory reports in an installed package; `shipped`: the package is part of what traders install. */
export type Finding = { readonly advisory: string; readonly package: string; readonly severity: string; readonly title: string; readonly url: string; readonly shipped: boolean }

const advisory = z.object({ name: z.string(), title: z.string(), url: z.string(), severity: z.string() })
// Text entries name packages that only depend on a vulnerable one.
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

/** The findings of a report by `npm audit --json`, those in `shipped` (folders below `node_modules`) first; null if it is not a report, or an empty one. */
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

/** An advisory that does not block a release, why, and until which day (YYYY-MM-DD). */
export type Exception = z.infer<typeof exception>

/** The exceptions in `audit-exceptions.json`; throws if one lacks its reason or its day. */
export const exceptions = (text: string): readonly Exception[] => z.array(exception).parse(JSON.parse(text))

/** A finding as one line. */
export const findingText = ({ advisory: id, package: name, severity, title, url, shipped }: Finding): string => `${shipped ? 'shipped' : 'only builds and tests'}: ${name}, ${severity}: ${title} (${id}, ${url})`

const covers = (excepted: Exception, found: Finding): boolean => excepted.advisory === found.advisory && excepted.package === found.package

/**
 * What blocks a release on a day (YYYY-MM-DD): an advisory about a shipped package without an exception, and an
 * exception that has expired or matches no finding. Without findings only the days are checked.
 */
export const auditFaults = (excepted: readonly Exception[], findings: readonly Finding[] | null, today: string): readonly string[] => [
  ...(findings ?? []).filter((found) => found.shipped && !excepted.some((one) => covers(one, found))).map(findingText),
  ...excepted.filter(({ until }) => until < today).map(({ advisory: id, package: name, until }) => `The exception of ${id} for ${name} ended on ${until}: check again, and renew it with a reason or remove it.`),
  ...excepted.filter((one) => findings !== null && !findings.some((found) => covers(one, found))).map(({ advisory: id, package: name }) => `The exception of ${id} for ${name} matches no finding: remove it.`),
]
