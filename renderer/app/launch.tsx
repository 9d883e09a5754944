import { desktop } from '#renderer/lib/desktop.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useSession } from '#renderer/lib/session.ts'
import { FullScreenSpinner } from '#renderer/ui/spinner.tsx'
import { Navigate, Outlet } from 'react-router-dom'

/** Where the bare address of the program leads, as it is printed and bookmarked: on to the journal or to signing in for whoever was here before and for the desktop; everybody else, and whoever goes there within the page, sees the landing page. */
export const Launch = () => {
  const { loading, session, currentUser } = useSession()
  // The router puts each place behind a hash; only an address from outside has none.
  if (window.location.hash !== '') return <Outlet />
  if (loading) return <FullScreenSpinner />
  if (currentUser) return <Navigate to={paths.overview} replace />
  if (desktop !== null || session?.hasProfiles === true) return <Navigate to={paths.signIn} replace />
  return <Outlet />
}
