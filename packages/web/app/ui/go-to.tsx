import { useEffect } from "react";
import { useNavigate } from "react-router";

/** Replaces this page by another. The router's own component would add to what every page loads. */
export function GoTo({ path }: { path: string }) {
  const navigate = useNavigate();
  useEffect(() => void navigate(path, { replace: true }), [navigate, path]);
  return null;
}
