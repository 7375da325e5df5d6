// The page without a network, shown in place of another one: that one comes back with the network.
addEventListener("online", () => location.reload());
