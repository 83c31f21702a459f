<?php
// A web site that asks whether its visitor is over 18, in PHP without an extension or a package. docs/examples.md says how to run it.
const ATTRIBUTE = 'svc-demo.gov.idcard.over18';
const REQUEST = ['@context' => 'https://irma.app/ld/request/disclosure/v2', 'disclose' => [[[ATTRIBUTE]]]];
const YIVI = 'node_modules/@privacybydesign/yivi-frontend/dist/yivi.js';
const FILES = ['/' => [__DIR__ . '/page.html', 'text/html'], '/yivi.js' => [YIVI, 'text/javascript']];
const MAX_STARTED = 10;

/** @throws RuntimeException|JsonException unless the session server answers a success in JSON */
function ask(string $path, ?array $body = null): object
{
    $token = getenv('SVC_TOKEN');
    $headers = ['Content-Type: application/json', ...($token ? ["Authorization: $token"] : [])];
    $call = ['method' => $body ? 'POST' : 'GET', 'header' => $headers, 'content' => $body ? json_encode($body) : ''];
    $context = stream_context_create(['http' => [...$call, 'timeout' => 10, 'follow_location' => 0]]);
    $server = getenv('SVC_URL') ?: 'http://127.0.0.1:8088';
    $answer = @file_get_contents($server . $path, false, $context);
    if ($answer === false) throw new RuntimeException("$server did not answer with a success");
    return json_decode($answer, flags: JSON_THROW_ON_ERROR);
}

/** The token of each session, by the id that its page knows, in the visitor's web session. The oldest go first, so that it has a limit. */
function start(): array
{
    $package = ask('/session', REQUEST);
    $id = bin2hex(random_bytes(16));
    $_SESSION['started'] = array_slice([...($_SESSION['started'] ?? []), $id => $package->token], -MAX_STARTED, null, true);
    unset($package->token);
    return [200, ['id' => $id, ...(array) $package]];
}

function finish(string $id): array
{
    $token = $_SESSION['started'][$id] ?? null;
    if ($token === null) return [404, ['error' => 'this session is not known here']];
    $result = ask("/session/$token/result");
    $proofStatus = $result->proofStatus ?? null;
    if ($result->status !== 'DONE' || $proofStatus !== 'VALID')
        return [403, ['accepted' => false, 'status' => $result->status, 'proofStatus' => $proofStatus]];
    $attribute = $result->disclosed[0][0];
    $accepted = $attribute->id === ATTRIBUTE && $attribute->rawvalue === 'yes';
    return [$accepted ? 200 : 403, ['accepted' => $accepted]]; // a real site writes it into $_SESSION here
}

$call = $_SERVER['REQUEST_METHOD'] . ' ' . $_SERVER['REQUEST_URI'];
[$file, $type] = FILES[substr($call, strlen('GET '))] ?? [null, 'application/json'];
header("Content-Type: $type");
if ($file !== null) return readfile($file);
session_start(['use_strict_mode' => true, 'cookie_httponly' => true, 'cookie_samesite' => 'Lax']);
try {
    [$status, $body] = match (true) {
        $call === 'POST /start' => start(),
        str_starts_with($call, 'GET /result/') => finish(substr($call, strlen('GET /result/'))),
        default => [404, ['error' => 'there is no such page']],
    };
} catch (RuntimeException | JsonException $error) {
    [$status, $body] = [502, ['error' => $error->getMessage()]];
}
http_response_code($status);
echo json_encode($body);
