// Lost connections, an exhausted or stopping server, a lock or statement that took too long, an aborted transaction: see PostgreSQL's appendix of error codes.
const passingClasses = ['08', '40', '53', '57', '58']
const passingCodes = ['55P03', '25P03', '25P04']
// The driver's own errors have no code.
const driverSays = /^(Connection terminated|Client (was closed|has encountered a connection error)|timeout exceeded when trying to connect|Query read timeout|Cannot use a pool after calling end)/

/** Whether a call failed because the database's disk is full: PostgreSQL reports it, or when embedded the system may. */
export const isDiskFull = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if ('code' in error && ['53100', 'ENOSPC', 'EDQUOT'].includes(String(error.code))) return true
  return isDiskFull(error.cause)
}

/** Whether a call failed because the database was unreachable or busy, so that a retry may succeed. */
export const mayPass = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (/^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code)) return passingClasses.includes(code.slice(0, 2)) || passingCodes.includes(code)
  if (/^E[A-Z_]+$/.test(code) || driverSays.test(error.message)) return true
  if (error instanceof AggregateError) return error.errors.some(mayPass)
  return mayPass(error.cause)
}
