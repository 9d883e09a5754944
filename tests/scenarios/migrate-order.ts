/** The order to the process that is to be killed. */
export type MigrateOrder = {
  readonly file: string
  /** Migrations whose statements are followed by `SELECT pass();`. */
  readonly migrations: string
  readonly backups: string
  /** `statement:7` */
  readonly killAt?: string
}
